"""The portal for programs: REST below ``/api/v1``, feeds, pictures, metrics.

One table of operations (`TABLE`) makes the routes and the OpenAPI document.
"""
