"""The local service: HTTP for the viewer and the browser extension, MCP for agents.

It only answers requests: it fetches no pages, and never reads or writes a file named in a request.
"""
