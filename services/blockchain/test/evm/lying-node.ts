import { type LocalServer, localServer } from '@bursar/testing'

export interface Question {
  id: number
  method: string
  params: unknown[]
}
/** Changes a node's answer to a question, or does something before it is given; undefined lets it be. */
export type Lie = (question: Question, result: unknown) => unknown

/** A node in front of anvil that lies, or does not answer at all. */
export function lyingNode(target: string, lie: Lie = () => undefined): LocalServer {
  return localServer(async (request) => {
    const asked = (await request.json()) as Question | Question[]
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    const answers = (await answer.json()) as { id: number; result: unknown } | { id: number; result: unknown }[]
    const questions = [asked].flat()
    const told = []
    for (const each of [answers].flat()) {
      const question = questions.find(({ id }) => id === each.id)
      const changed = question && (await lie(question, each.result))
      told.push(changed === undefined ? each : { jsonrpc: '2.0', id: each.id, ...said(changed) })
    }
    return Response.json(Array.isArray(asked) ? told : told[0])
  })
}

/** A lie that is an error is what the node answers with: that it has no such method, if the error has no code. */
const said = (lie: unknown): object => {
  if (!(lie instanceof Error)) return { result: lie }
  return { error: { code: 'code' in lie ? lie.code : -32_601, message: lie.message } }
}

/** How often a question was asked of a node. */
export const timesAsked = (node: LocalServer, method: string): number =>
  node.requests.reduce((times, { body }) => times + body.split(`"${method}"`).length - 1, 0)
