import sys

sys.path.insert(0, ".")
from pelicanconf import *

PAGE_URL = PAGE_SAVE_AS = "{path_no_ext}.html"
