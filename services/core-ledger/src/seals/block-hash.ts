import { sha256 } from '@bursar/http'
import type { KeptKey } from '@bursar/store'
import type { AssetTerms } from '../assets/asset-terms'
import type { DecisionRow } from '../decisions/decisions'
import { sealedKinds } from '../ledger/sealed-rows'
import { merkleRoot } from './merkle'
import { entryText, leafOf, type SealedEntry } from './sealed-entry'
import type { seals } from './seals.table'

export type Seal = typeof seals.$inferSelect

/** The previous hash of the first block. */
export const genesis = '0'.repeat(64)

/** The rows that a block covers, in the order of their numbers. */
export interface Block {
  entries: readonly SealedEntry[]
  keys: readonly KeptKey[]
  decisions: readonly DecisionRow[]
  assets: readonly AssetTerms[]
}

/** The end of the chain. */
export type Place = Pick<Seal, 'number' | 'lastSeq' | 'lastKey' | 'lastDecision' | 'lastAsset' | 'hash'>

export const beginning: Place = { number: 0, lastSeq: 0, lastKey: 0, lastDecision: 0, lastAsset: 0, hash: genesis }

/** A seal over a block in the given `form`; `at` is its place in the chain, and its time. */
export function sealOver(
  { entries, keys, decisions, assets }: Block,
  at: Omit<Place, 'hash'> & Pick<Seal, 'form' | 'ranges' | 'sealedAt'>,
  previous: string,
): Seal {
  const counts = {
    ...at,
    entries: entries.length,
    keys: keys.length,
    decisions: decisions.length,
    assets: assets.length,
  }
  const none = { root: '', keysHash: '', decisionsHash: '', assetsHash: '' }
  if (at.form === 1) return { ...counts, ...none, hash: hashOfForm1(previous, entries) }
  const covered = { ...counts, ...none, root: merkleRoot(entries.map(leafOf)) }
  if (at.form === 2) {
    const sealed = { ...covered, keysHash: hashOf(keys, keyText) }
    return { ...sealed, hash: hashOfForm2(previous, sealed) }
  }
  const hashOver = at.form === 3 ? hashOf : rootOf
  const sealed = {
    ...covered,
    keysHash: hashOver(keys, answerText),
    decisionsHash: hashOver(decisions, decisionText),
    assetsHash: hashOver(assets, assetText),
  }
  return { ...sealed, hash: (at.form === 3 ? hashOfForm3 : hashOfForm4)(previous, sealed) }
}

const rootOf = <T>(rows: readonly T[], text: (row: T) => string): string => merkleRoot(rows.map(text))

/** SHA-256 over the seal before it and each entry in order. */
function hashOfForm1(previous: string, entries: readonly SealedEntry[]): string {
  const hasher = new Bun.CryptoHasher('sha256').update(`${previous}\n`)
  for (const entry of entries) hasher.update(entryText(entry))
  return hasher.digest('hex')
}

/** SHA-256 over the seal before it and all contents of this one. */
const hashOfForm2 = (previous: string, seal: Omit<Seal, 'hash'>): string =>
  sha256(JSON.stringify(saidBy(previous, seal)))

const hashOfForm3 = (previous: string, seal: Omit<Seal, 'hash'>): string =>
  sha256(JSON.stringify(saidByForm3(previous, seal)))

const hashOfForm4 = (previous: string, seal: Omit<Seal, 'hash'>): string =>
  sha256(JSON.stringify([...saidByForm3(previous, seal), sealedKinds.map((kind) => seal.ranges?.[kind])]))

const saidByForm3 = (previous: string, seal: Omit<Seal, 'hash'>) => {
  const { decisions, lastDecision, decisionsHash, assets, lastAsset, assetsHash } = seal
  return [...saidBy(previous, seal), decisions, lastDecision, decisionsHash, assets, lastAsset, assetsHash]
}

const saidBy = (previous: string, seal: Omit<Seal, 'hash'>) => {
  const { form, number, root, entries, lastSeq, keys, lastKey, keysHash, sealedAt } = seal
  return [form, number, previous, root, entries, lastSeq, keys, lastKey, keysHash, +sealedAt]
}

function hashOf<T>(rows: readonly T[], text: (row: T) => string): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const row of rows) hasher.update(text(row))
  return hasher.digest('hex')
}

// JSON separates the fields, whatever they contain.
const keyText = ({ seq, scope, key, requestHash }: KeptKey): string => JSON.stringify([seq, scope, key, requestHash])

const answerText = ({ seq, scope, key, requestHash, status, body, headers }: KeptKey): string =>
  JSON.stringify([seq, scope, key, requestHash, status, body, headers && Object.entries(headers)])

const decisionText = (of: DecisionRow): string =>
  JSON.stringify([of.seq, of.transactionId, of.number, of.decision, of.actorKind, of.actorId, of.note, +of.at])

const assetText = (of: AssetTerms): string =>
  JSON.stringify([
    of.seq,
    of.assetId,
    of.code,
    of.decimals,
    of.network,
    of.contractAddress,
    of.deletedAt && +of.deletedAt,
    +of.at,
  ])
