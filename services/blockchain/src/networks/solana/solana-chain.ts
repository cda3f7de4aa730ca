import { type Address, address, getBase64Encoder, isAddress, type Signature } from '@solana/kit'
import { getMintDecoder } from '@solana-program/token'
import { hashOf } from '../forms'
import type { Chain, ChainTransaction, HeldToken, Holding, NetworkSettings } from '../network'
import { asking } from '../node-failure'
import type { NodeReport } from '../node-report'
import { readLosses, readMovements, requireBalances } from './balance-changes'
import { tokenAccountOf } from './message'
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
    decimals: (mint) => asking(settings.name, () => readDecimals(rpc, address(mint))),
    find: (txHash) => asking(settings.name, () => findTransaction(nodes, txHash as Signature)),
  }
}

const commitment = 'confirmed'

/** By its mint; null if it is none. */
async function readDecimals(rpc: SolanaRpc, mint: Address): Promise<number | null> {
  const { value } = await rpc.getAccountInfo(mint, { commitment, encoding: 'base64' }).send()
  if (value === null || !tokenPrograms.includes(value.owner)) return null
  return getMintDecoder().decode(getBase64Encoder().encode(value.data[0])).decimals
}

/** An owner may have any number of accounts of a token; payments take from its associated one alone (message.ts). */
async function readHoldings(rpc: SolanaRpc, owner: Address, tokens: readonly HeldToken[]): Promise<Holding[]> {
  const [coin, ...accounts] = await Promise.all([
    rpc.getBalance(owner, { commitment }).send(),
    ...tokenPrograms.map((programId) =>
      rpc.getTokenAccountsByOwner(owner, { programId }, { commitment, encoding: 'jsonParsed' }).send(),
    ),
  ])
  const amounts = new Map<string | null, bigint>([[null, coin.value]])
  const associated = new Map<string | null, bigint>([[null, coin.value]])
  const scales = new Map<string | null, number>()
  const wanted = new Set<string | null>(tokens.map(({ contractAddress }) => contractAddress))
  for (const { pubkey, account } of accounts.flatMap(({ value }) => value)) {
    const { mint, tokenAmount } = account.data.parsed.info
    if (!wanted.has(mint)) continue
    const amount = BigInt(tokenAmount.amount)
    amounts.set(mint, (amounts.get(mint) ?? 0n) + amount)
    scales.set(mint, tokenAmount.decimals)
    const own = await tokenAccountOf(owner, { address: mint, program: account.owner })
    if (pubkey === own) associated.set(mint, amount)
  }
  return tokens.flatMap(({ contractAddress, decimals }) => {
    const amount = amounts.get(contractAddress) ?? 0n
    if (amount === 0n) return []
    const payable = associated.get(contractAddress) ?? 0n
    const held = { contractAddress, amount, decimals: decimals ?? scales.get(contractAddress) ?? 0 }
    return [payable < amount ? { ...held, payable } : held]
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
