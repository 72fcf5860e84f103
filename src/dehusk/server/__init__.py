"""The engine behind a small local service: HTTP for the viewer and the browser extension, MCP for agents.

The service answers, and does nothing by itself: it fetches no page, and reads and writes no file that a request names.
"""
