import { userInfo } from 'node:os'
import { messageOf } from '@bursar/contracts/log'
import { beginCommandAct, endCommandAct } from '@bursar/contracts/operations'
import type { Client } from '@bursar/http'

interface Act {
  service: string
  action: string
  object: string | null
  request: Record<string, string>
}

/**
 * Does it with its entry in the audit trail: one before, one of the outcome. Where the latter cannot be written, that is told,
 * and changes no result: a secret that is shown once must be shown.
 */
export async function recorded<T>(
  client: Client,
  act: Act,
  work: () => Promise<T>,
  tell: (sentence: string) => void = (sentence) => void process.stderr.write(`${sentence}\n`),
): Promise<T> {
  const { id } = await client.call(beginCommandAct, { body: { person: userInfo().username, ...act } })
  const end = (body: { status: number; problem?: string }) =>
    client.call(endCommandAct, { params: { id }, body }).catch((error: unknown) => {
      tell(`The audit trail has that this began, and not how it ended (status ${body.status}): ${messageOf(error)}`)
    })
  let result: T
  try {
    result = await work()
  } catch (error) {
    await end({ status: 500, problem: messageOf(error).slice(0, 1000) })
    throw error
  }
  await end({ status: 200 })
  return result
}
