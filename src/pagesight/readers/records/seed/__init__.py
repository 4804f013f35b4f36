"""The published model of records, its variants and the methods that it was compared with.

After Zhu, Nie, Wen, Zhang and Ma, "Simultaneous Record Detection and Attribute Labeling in Web Data
Extraction" (KDD 2006). Nothing of it reads pages for users; `pagesight evaluate records` compares
it with the reader.
"""
