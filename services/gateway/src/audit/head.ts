import { type Db, metaValue, putMetaValue, type Tx } from '@bursar/store'
import type { ChainEnd } from './chain'

/** The end of the chain is kept beside it, so that rows that are cut off there are missed. */
const name = 'audit_trail_head'

export async function keptHead(db: Db): Promise<ChainEnd | null> {
  const [, number, hash] = /^(\d+):([0-9a-f]{64})$/.exec((await metaValue(db, name)) ?? '') ?? []
  return number && hash ? { number: Number(number), hash } : null
}

export const keepHead = async (tx: Tx, { number, hash }: ChainEnd): Promise<void> => {
  await putMetaValue(tx, name, `${number}:${hash}`)
}
