import type { Handler } from './local-server'

/**
 * A stand-in's answer to a batch call (contracts/batch.ts): asks for each item alone, one after the other; null for an
 * item whose request fails or has a malformed answer.
 */
export async function answerBatch<I>(
  request: Request,
  alone: (item: I) => { method: string; path: string; body?: unknown },
  answer: Handler,
): Promise<Response> {
  const { items } = (await request.json()) as { items: I[] }
  const answers: unknown[] = []
  for (const item of items) {
    const { method, path, body } = alone(item)
    const text = body === undefined ? undefined : JSON.stringify(body)
    const given = await answer(
      new Request(new URL(path, request.url).href, { method, headers: request.headers, body: text }),
    )
    answers.push(given.ok ? await given.json().catch(() => null) : null)
  }
  return Response.json({ items: answers })
}
