// What the chains say themselves: the node by its own calls, the simulated networks by the table of their transactions.
import { callData, hex, rpc, selectors, transferTopic } from '../rpc'
import { rows } from './read-files'

export interface Transfer {
  network: string
  hash: string
  from: string
  to: string
  /** Null for the network's own coin. */
  token: string | null
  amount: bigint
}

/** A transaction in a block. */
export interface ChainTransaction {
  network: string
  hash: string
  /** Who signed it. */
  from: string
  isGood: boolean
  /** What the signer paid for it. */
  fee: bigint
  transfers: Transfer[]
}

export interface ChainState {
  transactions: ChainTransaction[]
  /** By `heldKey`. */
  held: Map<string, bigint>
}

/** Addresses and contracts as they are compared. */
export const comparable = (network: string, text: string): string => (network === 'solana' ? text : text.toLowerCase())
export const heldKey = (network: string, address: string, token: string | null): string =>
  `${network} ${comparable(network, address)} ${token === null ? '' : comparable(network, token)}`

interface RpcBlock {
  transactions: { hash: string; from: string; to: string | null; value: string }[]
}
interface RpcReceipt {
  transactionHash: string
  status: string
  gasUsed: string
  effectiveGasPrice: string
  logs: { address: string; topics: string[]; data: string }[]
}

/** Blocks that lie so deep do not change any more: they are read once. */
const deep = 32
const atATime = 20
/** By the node and its first block: how many of its blocks are known, and their transactions. */
const known = new Map<string, { blocks: number; transactions: ChainTransaction[] }>()

/** Every transaction of the node, from its first block on, and what the addresses hold there. */
export async function readNode(url: string, addresses: string[], tokens: string[]): Promise<ChainState> {
  const network = 'ethereum'
  const { hash } = await rpc<{ hash: string }>(url, 'eth_getBlockByNumber', ['0x0', false])
  const head = Number(await rpc<string>(url, 'eth_blockNumber'))
  const old = known.get(`${url} ${hash}`) ?? { blocks: 0, transactions: [] }
  known.set(`${url} ${hash}`, old)
  const fixed = Math.max(old.blocks, head - deep)
  old.transactions.push(...(await transactionsIn(url, old.blocks, fixed)))
  old.blocks = fixed
  const transactions = [...old.transactions, ...(await transactionsIn(url, fixed, head + 1))]
  const places = addresses.flatMap((address) => [null, ...tokens].map((token) => [address, token] as const))
  const held = await Promise.all(
    places.map(async ([address, token]): Promise<[string, bigint]> => {
      const call = { to: token, data: callData(selectors.balanceOf, address) }
      const amount =
        token === null
          ? rpc<string>(url, 'eth_getBalance', [address, 'latest'])
          : rpc<string>(url, 'eth_call', [call, 'latest'])
      return [heldKey(network, address, token), BigInt(await amount)]
    }),
  )
  return { transactions, held: new Map(held) }
}

/** Of the blocks from `first` up to the one before `end`. */
async function transactionsIn(url: string, first: number, end: number): Promise<ChainTransaction[]> {
  const found: ChainTransaction[] = []
  for (let start = first; start < end; start += atATime) {
    const numbers = Array.from({ length: Math.min(atATime, end - start) }, (_, i) => start + i)
    found.push(...(await Promise.all(numbers.map((number) => transactionsOf(url, number)))).flat())
  }
  return found
}

async function transactionsOf(url: string, number: number): Promise<ChainTransaction[]> {
  const network = 'ethereum'
  const place = hex(BigInt(number))
  const block = await rpc<RpcBlock>(url, 'eth_getBlockByNumber', [place, true])
  if (block.transactions.length === 0) return []
  const receipts = await rpc<RpcReceipt[]>(url, 'eth_getBlockReceipts', [place])
  return block.transactions.map(({ hash, from, to, value }) => {
    const receipt = receipts.find(({ transactionHash }) => transactionHash === hash) as RpcReceipt
    const isGood = receipt.status === '0x1'
    const own =
      isGood && to !== null && BigInt(value) > 0n
        ? [{ network, hash, from, to, token: null, amount: BigInt(value) }]
        : []
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    return { network, hash, from, isGood, fee, transfers: [...own, ...tokenTransfers(receipt)] }
  })
}

const addressIn = (topic = ''): string => `0x${topic.slice(-40)}`

const tokenTransfers = ({ transactionHash: hash, logs }: RpcReceipt): Transfer[] =>
  logs
    .filter(({ topics }) => topics[0] === transferTopic && topics.length === 3)
    .map(({ address: token, topics, data }) => {
      const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
      return { network: 'ethereum', hash, from, to, token, amount: BigInt(data) }
    })
    .filter(({ amount }) => amount > 0n)

interface SimulatedRow {
  network: string
  tx_hash: string
  from_address: string
  to_address: string
  contract_address: string | null
  amount: string
  failure: string | null
}

/** The simulated networks, and what follows from their transactions: not what their table of balances says. */
export function readSimulated(blockchainFile: string): ChainState {
  const found = rows<SimulatedRow>(
    blockchainFile,
    'SELECT * FROM simulated_transactions ORDER BY network, block, rowid',
  )
  const held = new Map<string, bigint>()
  const move = (key: string, by: bigint) => void held.set(key, (held.get(key) ?? 0n) + by)
  const transactions = found.map((row): ChainTransaction => {
    const { network, tx_hash: hash, from_address: from, to_address: to, contract_address: token } = row
    const isGood = row.failure === null
    const amount = BigInt(row.amount)
    if (isGood) {
      move(heldKey(network, from, token), -amount)
      move(heldKey(network, to, token), amount)
    }
    return {
      network,
      hash,
      from,
      isGood,
      fee: 0n,
      transfers: isGood ? [{ network, hash, from, to, token, amount }] : [],
    }
  })
  return { transactions, held }
}
