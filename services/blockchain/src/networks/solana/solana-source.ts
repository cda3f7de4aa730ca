import { type Address, address, type Signature } from '@solana/kit'
import type { AccountSource, ChainTransfer, NetworkSettings } from '../network'
import { asking, WrongNodeError } from '../node-failure'
import { readLosses, readMovements, requireBalances, type TransactionRecord } from './balance-changes'
import { hasBlocksFrom } from './outcomes'
import type { SolanaNodes } from './solana-nodes'
import type { SolanaRpc } from './solana-rpc'
import { statusesOf } from './statuses'
import { tokenPrograms } from './token-programs'

const commitment = 'finalized'
/** The page size of a request. */
const pageSize = 1000

/** Reads Solana account by account: a token has its own account, whose signatures are not among the owner's. */
export const solanaSource = ({ name }: NetworkSettings, nodes: SolanaNodes): AccountSource => ({
  kind: 'accounts',
  accountsOf: (owner) => asking(name, async () => [owner, ...(await tokenAccounts(nodes.rpc, address(owner)))]),
  read: (account, after, since) =>
    asking(name, async () => {
      const { rpc, listed } = await listedBy(nodes, { account: address(account), after, since })
      const transfers: ChainTransfer[] = []
      for (const each of listed) {
        const record = await readRecord(rpc, each)
        const movements = [...readMovements(record), ...readLosses(record)]
        transfers.push(
          // By the owner as well: an account closed by the transaction is not listed any more.
          ...movements.filter((each) => [each.toAccount, each.fromAccount, each.to, each.from].includes(account)),
        )
      }
      return { transfers, last: listed.at(-1)?.signature ?? null }
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

interface Listed {
  signature: Signature
  slot: bigint
  err: unknown
}

/**
 * The signatures of an account after one, oldest first, and the node that lists them. Of several nodes it is one that
 * has all of them, and that no other contradicts: the next look begins after the newest, so what another one lacks in
 * between would be passed over. Where none has them all the longest list is taken, once all nodes have answered.
 */
async function listedBy(
  { each, agree }: SolanaNodes,
  asked: { account: Address; after: string | null; since: Date },
): Promise<{ rpc: SolanaRpc; listed: Listed[] }> {
  let found: { rpc: SolanaRpc; listed: Listed[] } | null = null
  const failures: unknown[] = []
  for (const rpc of each) {
    try {
      const listed = await signaturesAfter(rpc, asked.account, asked.after)
      const isWhole = each.length === 1 || listed.length === 0 || (await hasAll(rpc, asked))
      if (isWhole || listed.length > (found?.listed.length ?? 0)) found = { rpc, listed }
      if (!isWhole) continue
      failures.length = 0
      break
    } catch (error) {
      failures.push(error)
    }
  }
  if (!found || failures.length > 0) throw failures[0]
  const finals = found.listed.map(({ signature, slot, err }) => ({ txHash: signature, slot, isFailed: err !== null }))
  const denied = finals[(await agree(finals)).indexOf(false)]
  if (denied) throw new WrongNodeError(`has another outcome of ${denied.txHash} than the others`)
  return found
}

/** Whether a node has everything after this signature: it knows it, or has all blocks since then. */
async function hasAll(rpc: SolanaRpc, { after, since }: { after: string | null; since: Date }): Promise<boolean> {
  if (after !== null && (await statusesOf(rpc, [{ txHash: after }]))[0] !== null) return true
  return (await hasBlocksFrom(rpc)) <= since.getTime()
}

async function signaturesAfter(rpc: SolanaRpc, account: Address, after: string | null): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const before = all.at(-1)?.signature
    const page = await rpc
      .getSignaturesForAddress(account, {
        commitment,
        limit: pageSize,
        ...(after === null ? {} : { until: after as Signature }),
        ...(before === undefined ? {} : { before }),
      })
      .send()
    all.push(...page)
    if (page.length < pageSize) return all.reverse()
  }
}

async function readRecord(rpc: SolanaRpc, { signature, err }: Listed): Promise<TransactionRecord> {
  const record = await findRecord(rpc, signature, commitment)
  if (!record) throw new WrongNodeError('does not know a transaction that it has listed')
  // It would seem to have come before its address was watched.
  if (record.blockTime === null) throw new WrongNodeError('does not say when a transaction was')
  if (!record.meta?.err !== !err) throw new WrongNodeError('gave a transaction with another outcome than it has listed')
  return requireBalances(record)
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
