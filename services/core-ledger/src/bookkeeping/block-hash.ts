import type { journal } from './journal.table'

export type Entry = typeof journal.$inferSelect

/** What the first block is chained to. */
export const genesis = '0'.repeat(64)

/** The hash of a block while its entries are read: SHA-256 over the seal before it and each entry in order. */
export function blockHash(previous: string) {
  const hasher = new Bun.CryptoHasher('sha256').update(`${previous}\n`)
  return {
    add(entry: Entry): void {
      const { seq, transactionId, kind, assetId, debit, credit, amount, createdAt } = entry
      // JSON keeps the fields apart, whatever is in them.
      hasher.update(JSON.stringify([seq, transactionId, kind, assetId, debit, credit, `${amount}`, +createdAt]))
    },
    digest: (): string => hasher.digest('hex'),
  }
}
