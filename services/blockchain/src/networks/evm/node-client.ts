import { BaseError, type Client, createClient, fallback, RpcRequestError, type Transport } from 'viem'
import type { NetworkSettings } from '../network'
import { WrongNodeError } from '../node-failure'
import type { NodeReport } from '../node-report'
import { nodeTransport } from './node-transport'

/** A client of an EVM network's nodes. */
export type NodeClient = Client

/** A client of all nodes, which calls them in order until one answers, and one client of each. */
export function createNodeClients(
  settings: NetworkSettings,
  report: NodeReport,
): { client: NodeClient; each: NodeClient[] } {
  const verified = new Set<string>()
  const nodes = settings.rpcUrls.map((url, i) => verifying(settings, url, { node: i + 1, report, verified }))
  return {
    client: createClient({ transport: fallback(nodes, { retryCount: 0 }), cacheTime: 0 }),
    each: nodes.map((transport) => createClient({ transport, cacheTime: 0 })),
  }
}

interface Verification {
  /** Its position in the setting, from 1. */
  node: number
  report: NodeReport
  /** The URLs whose chain id has been seen since they last failed. */
  verified: Set<string>
}

/** Checks a node's chain id first, and again after each failure, when another node may answer there. */
function verifying(settings: NetworkSettings, url: string, { node, report, verified }: Verification): Transport {
  const transport = nodeTransport(url, settings.timeoutMs)
  const failed = (error: unknown): never => {
    if (isAnswer(error)) throw error
    verified.delete(url)
    report.bad(settings.name, node, error instanceof WrongNodeError ? error.problem : 'cannot be reached')
    throw error
  }
  return (options) => {
    const inner = transport(options)
    const verify = async (): Promise<void> => {
      if (verified.has(url)) return
      const chainId = Number(await inner.request({ method: 'eth_chainId' }))
      if (String(chainId) !== settings.identity) {
        throw new WrongNodeError(`answers for chain ${chainId}, not ${settings.identity}`)
      }
      verified.add(url)
      report.good(settings.name, node)
    }
    const request = async (args: Parameters<typeof inner.request>[0]) => {
      await verify().catch(failed)
      return await inner.request(args).catch(failed)
    }
    return { ...inner, request: request as typeof inner.request }
  }
}

/** Whether the node itself answered with this error. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && !('status' in error)

/** A node's error answer; null when none could be reached. */
export function refusalOf(error: unknown): { code: number; message: string } | null {
  const cause = error instanceof BaseError ? error.walk((each) => each instanceof RpcRequestError) : null
  return cause instanceof RpcRequestError ? { code: cause.code, message: cause.details } : null
}

/** Whether a failure is a node's answer, rather than an unreachable node. */
export const isAnswered = (error: unknown): boolean => refusalOf(error) !== null
