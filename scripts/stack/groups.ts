import { isServiceName, type ServiceName } from '@bursar/contracts/services'
import type { Entry } from './procfile'

/**
 * What shares a process with `scripts/start --in-groups`. Services that take the same steps of a payment are together: they
 * call each other without a connection, and a machine of two to four cores changes between four processes, not sixteen.
 */
export const groups: Record<string, readonly ServiceName[]> = {
  ledger: ['core-ledger', 'account', 'customer', 'sanctions', 'quote'],
  chains: ['wallet', 'blockchain'],
  access: ['gateway', 'identity-manager', 'participant', 'main-api', 'transaction-manager', 'message'],
  events: ['webhook', 'notification', 'log-tracker'],
}

/** All services. */
export const allInOne: Record<string, readonly ServiceName[]> = { bursar: Object.values(groups).flat() }

/**
 * The lines of a Procfile with one line for the services of each group, which `command` runs. What is no service, or the only
 * one of its group, keeps its own line.
 */
export function inGroups(
  entries: readonly Entry[],
  groups: Record<string, readonly ServiceName[]>,
  command: (names: readonly string[]) => string,
): Entry[] {
  const together = Object.entries(groups).map(([name, members]) => ({
    name,
    members: entries.map((entry) => entry.name).filter((one) => isServiceName(one) && members.includes(one)),
  }))
  const shared = together.filter(({ members }) => members.length > 1)
  const isShared = (entry: Entry) => shared.some(({ members }) => members.includes(entry.name))
  return [
    ...shared.map(({ name, members }) => ({ name, command: command(members) })),
    ...entries.filter((entry) => !isShared(entry)),
  ]
}
