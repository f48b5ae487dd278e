"""Episodes as Gymnasium environments: observations, discrete actions and rewards for whoever trains agents."""
