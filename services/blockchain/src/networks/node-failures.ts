/** The errors of a route when a network's nodes fail, besides its own. */
export const nodeFailures = (own: Readonly<Record<number, string>> = {}): Record<number, string> => ({
  502: 'A node of the network failed, or is unreliable',
  503: 'No node of the network can be reached, or it has no RPC URL',
  504: 'No node of the network answered in time',
  ...own,
})
