import { type Address, address, isAddress, type Signature } from '@solana/kit'
import { hashOf } from '../forms'
import type { Chain, ChainTransaction, HeldToken, Holding, NetworkSettings } from '../network'
import { asking } from '../node-failure'
import type { NodeReport } from '../node-report'
import { readLosses, readMovements, requireBalances } from './balance-changes'
import { outcomesOf } from './outcomes'
import { errorText } from './solana-draft'
import { connectSolana, type SolanaNodes } from './solana-nodes'
import type { SolanaRpc } from './solana-rpc'
import { solanaSending } from './solana-sending'
import { findRecord, solanaSource } from './solana-source'
import { tokenPrograms } from './token-programs'

/** Solana behind its nodes. */
export function createSolanaChain(settings: NetworkSettings, report: NodeReport): Chain {
  const nodes = connectSolana(settings, report)
  const { rpc } = nodes
  return {
    settings,
    sending: solanaSending(settings, nodes),
    source: solanaSource(settings, nodes),
    address: (text) => (isAddress(text) ? text : null),
    hash: (text) => hashOf('solana', text),
    holdings: (owner, tokens) => asking(settings.name, () => readHoldings(rpc, address(owner), tokens)),
    find: (txHash) => asking(settings.name, () => findTransaction(nodes, txHash as Signature)),
  }
}

async function readHoldings(rpc: SolanaRpc, owner: Address, tokens: readonly HeldToken[]): Promise<Holding[]> {
  const commitment = 'confirmed'
  const [coin, ...accounts] = await Promise.all([
    rpc.getBalance(owner, { commitment }).send(),
    ...tokenPrograms.map((programId) =>
      rpc.getTokenAccountsByOwner(owner, { programId }, { commitment, encoding: 'jsonParsed' }).send(),
    ),
  ])
  const amounts = new Map<string | null, bigint>([[null, coin.value]])
  const scales = new Map<string | null, number>()
  for (const { account } of accounts.flatMap(({ value }) => value)) {
    const { mint, tokenAmount } = account.data.parsed.info
    amounts.set(mint, (amounts.get(mint) ?? 0n) + BigInt(tokenAmount.amount))
    scales.set(mint, tokenAmount.decimals)
  }
  return tokens.flatMap(({ contractAddress, decimals }) => {
    const amount = amounts.get(contractAddress) ?? 0n
    return amount > 0n ? [{ contractAddress, amount, decimals: decimals ?? scales.get(contractAddress) ?? 0 }] : []
  })
}

async function findTransaction({ rpc, agree }: SolanaNodes, txHash: Signature): Promise<ChainTransaction | null> {
  const record = await findRecord(rpc, txHash, 'confirmed')
  if (!record) return null
  const [outcome] = await outcomesOf(rpc, agree, [{ txHash }])
  const isFinal = outcome?.is === 'confirmed' || outcome?.is === 'reverted'
  const transfers = readMovements(requireBalances(record))
  const failure = record.meta?.err
  const done = failure ? 'failed' : 'confirmed'
  return {
    txHash,
    status: isFinal ? done : 'pending',
    reason: failure ? `the transaction failed: ${errorText(failure)}` : null,
    block: Number(record.slot),
    confirmations: isFinal ? 1 : 0,
    at: record.blockTime === null ? null : new Date(Number(record.blockTime) * 1000),
    from: [record.transaction.message.accountKeys[0] ?? ''],
    to: [...new Set(transfers.map(({ to }) => to))],
    transfers,
    losses: readLosses(record),
  }
}
