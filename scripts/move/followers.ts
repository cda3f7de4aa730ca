import type { ServiceName } from '@bursar/contracts/services'
import type { FollowedRows } from '@bursar/store/move'
import { journal } from '../../services/core-ledger/src/ledger/journal.table'
import { indexedEntries, sealedRows, summedEntries } from '../../services/core-ledger/src/ledger/sealed-rows'
import { sealedSources } from '../../services/core-ledger/src/seals/unsealed-rows'

const entries = { entries: { number: journal.seq } }

/** Each `follower` that a service declares. */
const followers: Partial<Record<ServiceName, readonly FollowedRows[]>> = {
  'core-ledger': [
    { name: sealedRows.name, sources: sealedSources },
    { name: indexedEntries.name, sources: entries },
    { name: summedEntries.name, sources: entries },
  ],
}

export const followersOf = (name: ServiceName): readonly FollowedRows[] => followers[name] ?? []
