// What the owners of institutions say of them, as the ledger hears it.
import { PfiChanged, type PfiStatus } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import type { Ledger } from './harness'

let version = 0
export const mark = () => ({ epoch: 1, version: ++version })
export const tell = (to: Ledger, { name, type }: { name: string; type: string }, data: object) =>
  to.consume({
    id: Bun.randomUUIDv7(),
    name,
    type,
    timestamp: new Date().toISOString(),
    requestId: null,
    service: 'main-api',
    data,
  })
export const pfiOf = (id: string, status: PfiStatus) => ({ id, name: 'Lakeside', country: 'US', status })
export const setStatus = (id: string, status: PfiStatus, to: Ledger) =>
  tell(to, PfiChanged, { ...pfiOf(id, status), ...mark() })
export const participantOf = (id: string, deletedAt: string | null) => ({
  id,
  institutionName: 'Lakeside',
  omnibusAccountId: null,
  feePayerAccountId: null,
  deletedAt,
})
export const setDeleted = (id: string, to: Ledger) =>
  tell(to, ParticipantDeleted, { v: 1, ...participantOf(id, new Date().toISOString()), ...mark() })
