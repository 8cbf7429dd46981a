// Stands for the viewer where it was not built (./dev viewer): the page keeps its simple replay.
