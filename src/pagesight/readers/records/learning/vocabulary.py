"""What pages that are written by chance are made of."""

WORDS = (
    "tea leaf water garden river stone market window paper letter music engine signal harbour "
    "valley winter copper lantern ladder basket kitchen journey weather meadow thread mirror "
    "bridge island pocket pepper station quarter measure colour wooden simple modern fresh open "
    "local silent bright common early global classic sport travel digital wireless cotton steel"
).split()
THINGS = "lamp chair shelf shirt jacket shoe camera phone case cable book guide game table".split()
SYLLABLES = "ba ko li mar ne vo sta tri den pel un hem lak nor dal vik eke ster ris mo".split()
PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
