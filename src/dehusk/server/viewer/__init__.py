"""The viewer: HTML, scripts, and the data that it shows."""
