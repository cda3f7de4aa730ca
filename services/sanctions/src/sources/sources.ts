import { createOutbound } from '@bursar/http/outbound'
import type { Config } from '../config'
import { chainalysisApi } from './chainalysis-api'
import { chainalysisOracle } from './chainalysis-oracle'
import { type Source, sandboxSource } from './source'

/** The configured sources besides the list. */
export function configuredSources(config: Config): Source[] {
  const { chainalysis, oracle, sandbox, sourceTimeoutMs, outboundAllow } = config
  const outbound = createOutbound({ allow: [...outboundAllow] })
  return [
    ...(sandbox ? [sandboxSource] : []),
    ...(chainalysis ? [chainalysisApi(outbound, chainalysis, sourceTimeoutMs)] : []),
    ...(oracle ? [chainalysisOracle(outbound, oracle, sourceTimeoutMs)] : []),
  ]
}
