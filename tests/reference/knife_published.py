#!/usr/bin/python3
"""Reference values for the published presets of `knife`, from PyTorch.

Written from the method's description (Darrin et al., NeurIPS 2024, and its published settings): an
independent second route to the same numbers. Prints one line per case and seed; the output is
kept in knife_published.csv and read by tests/core/test_published.c.

    /usr/bin/python3 knife_published.py > knife_published.csv      (python3-torch 1.13, 15 seconds)
"""
import math
import torch
from torch import nn

N, DX, DY, SEEDS = 600, 12, 8, 16


def uniforms(count, state):
    out = []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((state >> 11) / 2**53)
    return out


def normals(rows, cols, state):
    """Sums of twelve uniforms: exact in any language."""
    u = torch.tensor(uniforms(rows * cols * 12, state), dtype=torch.float64)
    return u.reshape(rows, cols, 12).sum(2) - 6


def data():
    x = normals(N, DX, 1)
    noise = normals(N, DY, 2)
    y = 0.7 * x[:, :DY] + 0.4 * x[:, 1 : DY + 1] * x[:, 2 : DY + 2] + 0.6 * noise
    return x, y


def standardise(m):
    return ((m - m.mean(0)) / m.std(0)).float()


def network(dx, hidden, layers, out):
    parts, width = [], dx
    for _ in range(layers):
        parts += [nn.LayerNorm(width), nn.Linear(width, hidden), nn.ReLU()]
        width = hidden
    return nn.Sequential(*parts, nn.Linear(width, out))


def gauss_log(y, mean, scale, logit):
    s = torch.exp(torch.tanh(scale))
    e = (torch.log(s + 1e-8) - 0.5 * (s * (y[:, None, :] - mean)) ** 2).sum(2)
    return torch.logsumexp(torch.log_softmax(logit, -1) + e, 1) - 0.5 * y.shape[1] * math.log(
        2 * math.pi
    )


def bernoulli_log(y, location, logit):
    mu = torch.sigmoid(10 * location)
    y = y[:, None, :]
    e = (y * torch.log(mu + 1e-8) + (1 - y) * torch.log(1 - mu + 1e-8)).sum(2)
    return torch.logsumexp(torch.log_softmax(logit, -1) + e, 1)


class Marginal(nn.Module):
    def __init__(self, d, modes, binary):
        super().__init__()
        spread = 0.1 if binary else 0.01
        self.binary = binary
        self.mean = nn.Parameter(spread * torch.randn(1, modes, d))
        self.scale = nn.Parameter(spread * torch.randn(1, modes, d))
        self.logit = nn.Parameter(torch.ones(1, modes))

    def forward(self, x, y):
        if self.binary:
            return bernoulli_log(y, self.mean, self.logit)
        return gauss_log(y, self.mean, self.scale, self.logit)


class Conditional(nn.Module):
    def __init__(self, dx, d, modes, hidden, layers, binary):
        super().__init__()
        self.d, self.modes, self.binary = d, modes, binary
        hidden = hidden or d
        if binary:
            self.mu = network(dx, hidden, layers, modes * d)
            self.weight = network(dx, hidden, layers, modes)
        else:
            self.ff = network(dx, hidden, layers, modes * (2 * d + 1))

    def forward(self, x, y):
        if self.binary:
            return bernoulli_log(y, self.mu(x).view(-1, self.modes, self.d), self.weight(x))
        o = self.ff(x).view(-1, self.modes, 2 * self.d + 1)
        return gauss_log(y, o[:, :, 1 : self.d + 1], o[:, :, self.d + 1 :], o[:, :, 0])


def train(model, x, y, lr, epochs, batch):
    adam = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(epochs):
        order = torch.randperm(len(x))
        for i in range(0, len(x), batch):
            rows = order[i : i + batch]
            adam.zero_grad()
            (-model(x[rows], y[rows]).mean()).backward()
            adam.step()
    with torch.no_grad():
        return -model(x, y).double().mean().item()


CASES = {
    # name: modes, hidden, batch, lr, epochs, marginal lr, marginal epochs, binary
    "paper-nlp": (8, 0, 128, 1e-3, 10, 1e-4, 5, False),
    "paper-nlp epochs=100": (8, 0, 128, 1e-3, 100, 1e-4, 5, False),
    "paper-nlp target=binary epochs=40": (8, 0, 128, 1e-3, 40, 1e-4, 5, True),
    "paper-mol": (2, 512, 1024, 1e-3, 5, 1e-2, 5, False),
    "paper-mol batch=100": (2, 512, 100, 1e-3, 5, 1e-2, 5, False),
}


def main():
    x, y = data()
    print("case,seed,h,h_cond")
    for name, (modes, hidden, batch, lr, epochs, m_lr, m_epochs, binary) in CASES.items():
        target = (y > 0).float() if binary else standardise(y)
        source = standardise(x)
        for seed in range(SEEDS):
            torch.manual_seed(seed)
            marginal = Marginal(DY, modes, binary)
            h = train(marginal, source, target, m_lr, m_epochs, batch)
            conditional = Conditional(DX, DY, modes, hidden, 2, binary)
            h_cond = train(conditional, source, target, lr, epochs, batch)
            print(f"{name},{seed},{h / DY:.6f},{h_cond / DY:.6f}", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    main()
