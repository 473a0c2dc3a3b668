"""From a question to a collection: how many users or how large a budget, and the commands of clients and servers."""
