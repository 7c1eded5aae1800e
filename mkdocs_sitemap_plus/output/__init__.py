"""Files on disk, robots.txt, the JSON report and the summary line."""
