import { type Address, address, type Signature } from '@solana/kit'
import type { AccountSource, ChainTransfer, NetworkSettings } from '../network'
import { asking, WrongNodeError } from '../node-failure'
import { readLosses, readMovements, type TransactionRecord } from './balance-changes'
import type { SolanaRpc } from './solana-nodes'
import { tokenPrograms } from './token-programs'

const commitment = 'finalized'
/** The page size of a request. */
const pageSize = 1000

/** Reads Solana account by account: a token has its own account, whose signatures are not among the owner's. */
export const solanaSource = ({ name }: NetworkSettings, rpc: SolanaRpc): AccountSource => ({
  kind: 'accounts',
  accountsOf: (owner) => asking(name, async () => [owner, ...(await tokenAccounts(rpc, address(owner)))]),
  read: (account, after) =>
    asking(name, async () => {
      const signatures = await signaturesAfter(rpc, address(account), after)
      const transfers: ChainTransfer[] = []
      for (const signature of signatures) {
        const record = await readRecord(rpc, signature)
        const movements = [...readMovements(record), ...readLosses(record)]
        transfers.push(
          // By the owner as well: an account closed by the transaction is not listed any more.
          ...movements.filter((each) => [each.toAccount, each.fromAccount, each.to, each.from].includes(account)),
        )
      }
      return { transfers, last: signatures.at(-1) ?? null }
    }),
})

async function tokenAccounts(rpc: SolanaRpc, owner: Address): Promise<string[]> {
  const found = await Promise.all(
    tokenPrograms.map((programId) =>
      rpc
        .getTokenAccountsByOwner(
          owner,
          { programId },
          { commitment, encoding: 'base64', dataSlice: { offset: 0, length: 0 } },
        )
        .send(),
    ),
  )
  return found.flatMap(({ value }) => value.map(({ pubkey }) => pubkey))
}

/** The signatures of an account after one, oldest first. */
async function signaturesAfter(rpc: SolanaRpc, account: Address, after: string | null): Promise<Signature[]> {
  const all: Signature[] = []
  for (;;) {
    const before = all.at(-1)
    const page = await rpc
      .getSignaturesForAddress(account, {
        commitment,
        limit: pageSize,
        ...(after === null ? {} : { until: after as Signature }),
        ...(before === undefined ? {} : { before }),
      })
      .send()
    all.push(...page.map(({ signature }) => signature))
    if (page.length < pageSize) return all.reverse()
  }
}

async function readRecord(rpc: SolanaRpc, signature: Signature): Promise<TransactionRecord> {
  const record = await findRecord(rpc, signature, commitment)
  if (!record) throw new WrongNodeError('does not know a transaction that it has listed')
  return record
}

/** A transaction's record; null when the node does not know it. Fails when the node returns another one. */
export async function findRecord(
  rpc: SolanaRpc,
  signature: Signature,
  level: 'confirmed' | 'finalized',
): Promise<TransactionRecord | null> {
  const options = { commitment: level, encoding: 'json', maxSupportedTransactionVersion: 0 } as const
  const record = (await rpc.getTransaction(signature, options).send()) as TransactionRecord | null
  if (record && record.transaction.signatures[0] !== signature) {
    throw new WrongNodeError('gave another transaction than was asked for')
  }
  return record
}
