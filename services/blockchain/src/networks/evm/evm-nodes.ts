import type { NetworkSettings } from '../network'
import type { NodeReport } from '../node-report'
import { type Agreement, createAgreement } from './agreement'
import { createNodeClients, type NodeClient } from './node-client'

/** The nodes of an EVM network. */
export interface EvmNodes {
  /** Calls them in order until one answers. */
  readonly client: NodeClient
  /** Each node separately. */
  readonly each: readonly NodeClient[]
  /** Whether they agree on a block. */
  readonly agree: Agreement
  readonly report: NodeReport
}

/** A node of another chain is not used. */
export function connectEvm(settings: NetworkSettings, report: NodeReport): EvmNodes {
  const { client, each } = createNodeClients(settings, report)
  return { client, each, agree: createAgreement(settings, each, report), report }
}
