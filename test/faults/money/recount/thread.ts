// The thread of a recounter.
import type { Ground, Outcome } from './apart'
import { recount } from './recount'
import { readState } from './state'

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<Ground>) => {
  self.postMessage(await outcomeOf(data))
}

async function outcomeOf({ files, nodeUrl, token, knowledge }: Ground): Promise<Outcome> {
  const fileOf = (service: string) => files[service] ?? ''
  try {
    return { findings: recount(await readState(fileOf, nodeUrl, token, knowledge), knowledge) }
  } catch (error) {
    return { error: String(error) }
  }
}
