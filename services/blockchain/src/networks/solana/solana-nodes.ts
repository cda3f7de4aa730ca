import { createDefaultRpcTransport, createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit'
import type { NetworkSettings } from '../network'
import { WrongNodeError } from '../node-failure'
import type { NodeReport } from '../node-report'
import { createSolanaAgreement, type SolanaAgreement } from './solana-agreement'
import type { SolanaRpc } from './solana-rpc'

/** The nodes of Solana. */
export interface SolanaNodes {
  /** Calls them in order until one answers. */
  readonly rpc: SolanaRpc
  /** Each node separately, for queries that one node must answer together. */
  readonly each: readonly SolanaRpc[]
  /** Whether they agree on final transactions. */
  readonly agree: SolanaAgreement
}

/** A node of another cluster, identified by its genesis hash, is not used. */
export function connectSolana(settings: NetworkSettings, report: NodeReport): SolanaNodes {
  const transports = settings.rpcUrls.map((url, i) => verifying(settings, url, { node: i + 1, report }))
  const first = async <T>(config: Parameters<RpcTransport>[0]): Promise<T> => {
    let failure: unknown
    for (const transport of transports) {
      try {
        return (await transport(config)) as T
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
  const each = transports.map((transport) => createSolanaRpcFromTransport(transport))
  const agree = createSolanaAgreement(settings, each, report)
  return { rpc: createSolanaRpcFromTransport(first as RpcTransport), each, agree }
}

function verifying(
  { name, identity, timeoutMs }: NetworkSettings,
  url: string,
  { node, report }: { node: number; report: NodeReport },
): RpcTransport {
  const transport = createDefaultRpcTransport({ url })
  let isVerified = false
  const ask = (config: Parameters<RpcTransport>[0]): Promise<unknown> =>
    transport({ ...config, signal: AbortSignal.timeout(timeoutMs) })
  async function verify(): Promise<void> {
    if (isVerified) return
    const payload = { jsonrpc: '2.0', id: 'genesis', method: 'getGenesisHash', params: [] }
    const { result } = (await ask({ payload })) as { result?: string }
    if (result !== identity) throw new WrongNodeError(`is of the cluster ${result}, not ${identity}`)
    isVerified = true
    report.good(name, node)
  }
  const request = async (config: Parameters<RpcTransport>[0]): Promise<unknown> => {
    try {
      await verify()
      return await ask(config)
    } catch (error) {
      // Another node may answer there next time.
      isVerified = false
      report.bad(name, node, error instanceof WrongNodeError ? error.problem : 'cannot be reached')
      throw error
    }
  }
  return request as RpcTransport
}
