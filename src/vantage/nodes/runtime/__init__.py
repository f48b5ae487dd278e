"""What every node needs: start and end, callbacks and job queues, parameters, topics, messages, diagnostics."""
