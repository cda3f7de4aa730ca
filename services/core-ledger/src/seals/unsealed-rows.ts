import { follower, isNull, type Source } from '@bursar/store'
import { idempotencyKeys } from '@bursar/store/schema'
import { assetTerms } from '../assets/asset-terms.table'
import { decisions } from '../decisions/decisions.table'
import { journal } from '../ledger/journal.table'
import { type SealedKind, sealedRows } from '../ledger/sealed-rows'

/** The tables whose rows are sealed, by kind. */
export const sealedSources: Record<SealedKind, Source> = {
  entries: { number: journal.seq },
  keys: { number: idempotencyKeys.seq, only: isNull(idempotencyKeys.expiresAt) },
  decisions: { number: decisions.seq },
  assets: { number: assetTerms.seq },
}

export const unsealedRows = follower(sealedRows, sealedSources)
