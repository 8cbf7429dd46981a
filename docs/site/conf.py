"""The site of ./dev docs, by Sphinx and MyST from the project's own Markdown files."""

project = "hamiltree"
author = "the hamiltree authors"
copyright = "the hamiltree authors, Apache License 2.0"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/site/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/**.md",
    "docs/site/**.rst",
    "hardware/README.md",
    "examples/README.md",
    "mechanisms/**.md",
    "benchmarks/results/**.md",
]
exclude_patterns = ["build", "build-*", "out"]

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # sections of generated reports start one level down

html_theme = "alabaster"
html_title = "hamiltree"
html_theme_options = {
    "description": "Hamiltonian dynamics on a tree",
    "fixed_sidebar": True,
    "page_width": "1180px",
    "body_max_width": "900px",
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
autodoc_member_order = "bysource"
autodoc_mock_imports = ["gymnasium", "jax", "torch"]  # of modules that need one of them
pygments_style = "sphinx"
highlight_language = "text"
