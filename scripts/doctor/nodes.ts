import { messageOf } from '@bursar/contracts/log'
import { config } from '../../services/blockchain/src/config'
import type { NetworkSettings } from '../../services/blockchain/src/networks/network'
import { type Examination, type Finding, findingsAbout } from './finding'

const { ok, wrong } = findingsAbout('nodes')

/** If the newest block is older, the chain or its node has stopped. */
const oldestMs = 10 * 60_000

/** Whether each node serves its network, and follows it. Nodes are named by position: URLs may hold credentials. */
export const examineNodes: Examination = async ({ env }) => {
  const { networks } = config(env)
  const real = networks.filter(({ rpcUrls }) => rpcUrls.length > 0)
  if (real.length === 0) return [ok('none is set: all networks are simulated')]
  const all = real.flatMap((network) => network.rpcUrls.map((url, place) => examineNode(network, url, place + 1)))
  return await Promise.all(all)
}

async function examineNode(network: NetworkSettings, url: string, place: number): Promise<Finding> {
  const node = `node ${place} of ${network.name}`
  const setting = `${network.name.toUpperCase()}_RPC_URLS`
  const ask = (method: string, params: unknown[] = []) => askNode(url, { method, params, timeoutMs: network.timeoutMs })
  try {
    const identity = network.kind === 'solana' ? await ask('getGenesisHash') : String(Number(await ask('eth_chainId')))
    if (identity !== network.identity)
      return wrong(
        `${node} is of ${identity}, not of ${network.identity}: correct ${setting}, or the network's identity`,
      )
    const age = Date.now() - (network.kind === 'solana' ? await solanaTime(ask) : await evmTime(ask))
    if (age > oldestMs)
      return wrong(
        `${node} is ${Math.round(age / 60_000)} minutes behind its chain: wait until it has caught up, or use another`,
      )
    return ok(`${node} answers, and follows its chain`)
  } catch (error) {
    return wrong(`${node} does not answer (${messageOf(error)}): start it, or correct ${setting}`)
  }
}

type Ask = (method: string, params?: unknown[]) => Promise<unknown>

async function evmTime(ask: Ask): Promise<number> {
  const block = (await ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
  return Number(block.timestamp) * 1000
}

const solanaTime = async (ask: Ask): Promise<number> =>
  Number(await ask('getBlockTime', [await ask('getSlot', [{ commitment: 'finalized' }])])) * 1000

async function askNode(
  url: string,
  { method, params, timeoutMs }: { method: string; params: unknown[]; timeoutMs: number },
): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    // The error's own message may repeat the URL.
    throw new Error('no connection')
  })
  const { result, error } = (await answer.json().catch(() => ({ error: { message: `status ${answer.status}` } }))) as {
    result?: unknown
    error?: { message?: string }
  }
  if (result === undefined || result === null) throw new Error(`${method}: ${error?.message ?? 'no result'}`)
  return result
}
