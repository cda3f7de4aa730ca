import { messageOf } from '@bursar/contracts/log'
import { addressList, isListed } from '@bursar/http'
import { type Db, rowBy, type Tx, upsertInto } from '@bursar/store'
import { createTimedCache } from '../bounded-cache'
import { fail } from '../errors'
import { institutionAddresses } from './institution-addresses.table'

/** The addresses and networks of an institution; none for any. */
export async function addressesOf(db: Db, participantId: string): Promise<string[]> {
  return (await rowOf(db, participantId))?.addresses ?? []
}

/** Sets the list; an empty one allows any. Fails (400) when an entry is neither an address nor a network. */
export async function putAddresses(tx: Tx, row: typeof institutionAddresses.$inferSelect): Promise<void> {
  try {
    addressList(row.addresses)
  } catch (error) {
    throw fail('INVALID_REQUEST', { message: `addresses: ${messageOf(error)}` })
  }
  await put(tx).execute(row)
}

const rowOf = rowBy(institutionAddresses, 'participantId')
const put = upsertInto(institutionAddresses, ['participantId'], ['addresses', 'changedBy', 'changedAt'])

const keptMs = 5000
const mostKept = 10_000

/** The allowed addresses of institutions, cached. `read` reads the present list from the database. */
export function createInstitutionAddresses(read: (participantId: string) => Promise<string[]>, now: () => number) {
  const found = createTimedCache<(address: string) => boolean>(mostKept, now)
  let changes = 0
  return {
    async isAllowedFrom(participantId: string, address: string): Promise<boolean> {
      const id = participantId.toLowerCase()
      const known = found.get(id)
      if (known) return known(address)
      const before = changes
      const entries = await read(id)
      const list = entries.length > 0 ? addressList(entries) : null
      const isAllowed = (from: string) => list === null || isListed(list, from)
      // A list read during a change may be the earlier one.
      if (changes === before) found.set(id, isAllowed, keptMs)
      return isAllowed(address)
    },
    /** A list was changed here; other gateways notice it within seconds. */
    forget(participantId: string): void {
      changes += 1
      found.delete(participantId.toLowerCase())
    },
  }
}
