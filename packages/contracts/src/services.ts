/**
 * Every service: the name of its folder, its slug (in the gateway's paths, its database file and `<SLUG>_PORT`), and its
 * default port.
 */
export const services = {
  gateway: { slug: 'gateway', port: 4000 },
  quote: { slug: 'quote', port: 4001 },
  'core-ledger': { slug: 'core', port: 4002 },
  'main-api': { slug: 'main', port: 4003 },
  participant: { slug: 'participant', port: 4004 },
  account: { slug: 'account', port: 4005 },
  customer: { slug: 'customer', port: 4006 },
  sanctions: { slug: 'sanctions', port: 4007 },
  wallet: { slug: 'wallet', port: 4008 },
  message: { slug: 'message', port: 4009 },
  webhook: { slug: 'webhook', port: 4010 },
  'transaction-manager': { slug: 'transactions', port: 4011 },
  blockchain: { slug: 'blockchain', port: 4012 },
  'identity-manager': { slug: 'identity', port: 4013 },
  notification: { slug: 'notification', port: 4014 },
  'log-tracker': { slug: 'tracker', port: 4015 },
} as const

export type ServiceName = keyof typeof services

export const serviceNames = Object.keys(services) as ServiceName[]

export const isServiceName = (name: string): name is ServiceName => Object.hasOwn(services, name)
