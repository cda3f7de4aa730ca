// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it
type Whatever = any

/** An answer with its body: parsed JSON, the text of anything else, undefined if empty. */
export interface Answer<Body = Whatever> {
  status: number
  headers: Headers
  body: Body
}

/** Handles a request, as an Elysia app does. */
export interface Handles {
  handle(request: Request): Response | Promise<Response>
}

type HeaderFields = Record<string, string>

/** Ways to send a request to an app without a server. Paths go behind the prefix; a body goes as JSON, a string as it is. */
export interface Requests {
  ask<Body = Whatever>(method: string, path: string, body?: unknown, headers?: HeaderFields): Promise<Answer<Body>>
  get<Body = Whatever>(path: string, headers?: HeaderFields): Promise<Answer<Body>>
  post<Body = Whatever>(path: string, body?: unknown, headers?: HeaderFields): Promise<Answer<Body>>
  put<Body = Whatever>(path: string, body?: unknown, headers?: HeaderFields): Promise<Answer<Body>>
  patch<Body = Whatever>(path: string, body?: unknown, headers?: HeaderFields): Promise<Answer<Body>>
  del<Body = Whatever>(path: string, headers?: HeaderFields): Promise<Answer<Body>>
  /** POSTs and returns the body of the 201; throws with any other answer. */
  create<Body = Whatever>(path: string, body?: unknown, headers?: HeaderFields): Promise<Body>
  /** Any request, without a prefix; the response unread. */
  fetch(request: Request): Promise<Response>
}

/** Sends requests to `app`, with `prefix` (`/v1`) before their paths. */
export function requestsTo(app: Handles, prefix: string): Requests {
  const fetch = async (request: Request) => await app.handle(request)
  const ask = async (method: string, path: string, body?: unknown, headers: HeaderFields = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const all = text === undefined ? headers : { 'content-type': 'application/json', ...headers }
    // A long enough host: the router does not find its way in `http://x/`.
    return await readAnswer(
      await fetch(new Request(`http://localhost${prefix}${path}`, { method, headers: all, body: text })),
    )
  }
  return {
    ask,
    fetch,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
    put: (path, body, headers) => ask('PUT', path, body, headers),
    patch: (path, body, headers) => ask('PATCH', path, body, headers),
    del: (path, headers) => ask('DELETE', path, undefined, headers),
    create: async (path, body, headers) => {
      const answer = await ask('POST', path, body, headers)
      if (answer.status === 201) return answer.body
      throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    },
  }
}

/** Reads a response to its end. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  if (text === '') return { status, headers, body: undefined }
  return { status, headers, body: /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text }
}

/** A UUID that no record has. */
export const nobody = '01a1fe8f-0000-7000-8000-000000000000'

/** The message about an invalid UUID in a path. */
export const uuidExpected = 'Validation failed (uuid is expected)'
