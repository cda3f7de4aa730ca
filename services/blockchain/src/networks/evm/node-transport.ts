import { custom, RpcRequestError, type Transport } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { WrongNodeError } from '../node-failure'

/** The maximum number of questions in one request. */
const most = 100
/** Twenty full blocks, or the calls within one, are far below; viem's own limit of 10 MiB is not. */
const mostBytes = 512 * 2 ** 20

interface Question {
  body: { id: number; method: string; params?: unknown }
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * A node by HTTP: questions of one turn are one request. Each gets the answer with its number, not the one in its place, as from
 * viem's own: a node that is busy may answer with an error that has no number, and others would move up.
 */
export function nodeTransport(url: string, timeout: number): Transport {
  const node = getHttpRpcClient(url, { timeout, maxResponseBodySize: mostBytes })
  let waiting: Question[] = []
  let asked = 0
  function send(): void {
    const questions = waiting
    waiting = []
    for (let at = 0; at < questions.length; at += most) void askAll(questions.slice(at, at + most))
  }
  async function askAll(questions: readonly Question[]): Promise<void> {
    const body = questions.map((question) => question.body)
    try {
      const answers: readonly Answer[] = await node.request({ body })
      // viem repeats a refusal of the whole request, whose number is of none.
      const [refusal, ...others] = new Set(answers)
      const isRefused = others.length === 0 && refusal?.error
      const byNumber = Map.groupBy(answers, (answer) => `${answer?.id}`)
      for (const question of questions) {
        settle(url, question, isRefused ? [refusal] : byNumber.get(`${question.body.id}`))
      }
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }
  const request = (of: Pick<Question['body'], 'method' | 'params'>) =>
    new Promise<unknown>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send)
      waiting.push({ body: { id: asked++, method: of.method, params: of.params }, resolve, reject })
    })
  return custom({ request }, { retryCount: 0 })
}

interface Answer {
  id?: unknown
  result?: unknown
  error?: { code: number; message: string }
}

function settle(url: string, { body, resolve, reject }: Question, [answer, ...others]: readonly Answer[] = []): void {
  if (!answer || others.length > 0) reject(new WrongNodeError(`gave no answer, or several, to ${body.method}`))
  else if (answer.error) reject(new RpcRequestError({ body, error: answer.error, url }))
  else resolve(answer.result)
}
