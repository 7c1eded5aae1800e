SITENAME = "Lighthouse"
SITEURL = "https://lighthouse.example/site"
PATH = "content"
OUTPUT_PATH = "output/"
PAGE_PATHS = ["handbook"]
PAGE_SAVE_AS = "{slug}/index.html"
PAGE_URL = "{slug}/index.html"
INDEX_SAVE_AS = "blog.html"
THEME = "theme"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PLUGINS = []
AUTHOR_FEED_ATOM = FEED_ALL_ATOM = CATEGORY_FEED_ATOM = AUTHOR_FEED_RSS = None
SLUGIFY_USE_UNICODE = True
