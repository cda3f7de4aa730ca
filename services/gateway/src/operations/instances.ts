import type { ServiceName } from '@bursar/contracts/services'
import { type Client, createClient, type Identity } from '@bursar/http'
import type { Config } from '../config'

/** An instance of a service, and a client that asks it alone. */
export interface Instance {
  readonly address: string
  readonly client: Client
}

/** The instances of a service, as configured. */
export type InstancesOf = (name: ServiceName) => readonly Instance[]

/** Creates the lookup of instances. A service with a single address is called like by everybody else. */
export function createInstances({
  config: { addresses },
  client,
  identity,
}: {
  config: Pick<Config, 'addresses'>
  client: Client
  identity: Identity
}): InstancesOf {
  const known = new Map<ServiceName, readonly Instance[]>()
  const askingOnly = (name: ServiceName, address: string) =>
    createClient({ name: 'gateway', identity, urls: { ...addresses, [name]: address } })
  const made = (name: ServiceName): Instance[] =>
    addresses[name].map((address, _, { length }) => ({
      address,
      client: length === 1 ? client : askingOnly(name, address),
    }))
  return (name) => {
    const found = known.get(name) ?? made(name)
    known.set(name, found)
    return found
  }
}
