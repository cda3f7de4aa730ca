import type { Log } from '@bursar/contracts/log'
import { actorOf, idempotent, operation, readFileBody, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { ById } from '../participants/participants.model'
import { addDocument, contentOf, type DocumentRow, documentsOf, getDocument, toDocument } from './documents'
import { ByDocument, Document, Documents, maxDocumentBytes, UploadQuery, uploadBody } from './documents.model'
import { checkedDocument, uploadSlots } from './upload'

/** The routes that take a file instead of JSON. */
export const documentFiles = {
  method: 'POST',
  path: /^\/(?:admin\/pfi|participants)\/[^/]+\/documents\/?$/,
  maxBytes: maxDocumentBytes,
} as const

/**
 * The documents of participants, for administrators (spec 3), and, not in the specification, for the participants
 * themselves.
 */
export function documentRoutes(deps: MainApiDeps) {
  const inSlot = uploadSlots()
  return new Elysia()
    .use(routesAt(deps, inSlot, '/admin/pfi/:id/documents', 'PfiDocument'))
    .use(routesAt(deps, inSlot, '/participants/:id/documents', 'Document'))
}

function routesAt(deps: MainApiDeps, inSlot: ReturnType<typeof uploadSlots>, prefix: string, noun: string) {
  const { store, identity, log, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix, tags: ['Documents'] })
    .get('/', async ({ params }) => ({ data: (await documentsOf(store.read, params.id)).map(toDocument) }), {
      params: ById,
      response: { 200: response(Documents) },
      detail: operation(`list${noun}s`, 'List the documents of a participant, oldest first'),
    })
    .post(
      '/',
      ({ request, set, params, query }) =>
        inSlot(async () => {
          const file = await readFileBody(request, maxDocumentBytes)
          const sender = { participantId: params.id, uploadedBy: (await actorOf(identity, request))?.id ?? null }
          const document = await checkedDocument(file, query, sender)
          return await once({ request, set }, (reply) =>
            store.commit(async (tx) => {
              const { row, isNew } = await addDocument(tx, document, now())
              return await reply(tx, isNew ? 201 : 200, toDocument(row))
            }),
          )
        }),
      {
        params: ById,
        query: UploadQuery,
        response: { 200: response(Document), 201: response(Document) },
        detail: operation(`upload${noun}`, 'Upload a document of a participant', {
          description:
            'A PDF, PNG or JPEG of at most 10 MiB; the content decides the type. The same content with the same ' +
            '`type` again is answered with the existing document, and 200.',
          requestBody: uploadBody,
          409: 'The participant was offboarded, or has too many documents',
          413: 'The file is larger than 10 MiB',
          503: 'Too many files are being uploaded right now',
        }),
      },
    )
    .get(
      '/:documentId',
      async ({ params }) => {
        const row = await getDocument(store.read, params.id, params.documentId)
        return fileAnswer(row, contentOf(store.read, row), log)
      },
      {
        params: ByDocument,
        detail: operation(`download${noun}`, 'Download a document', {
          responses: {
            200: {
              description: 'The file as it was uploaded',
              content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
            },
          },
        }),
      },
    )
}

/** A document as a download. If a part is missing, the response is aborted before its announced length. */
function fileAnswer(row: DocumentRow, parts: AsyncGenerator<Uint8Array>, log: Log): Response {
  const { id, fileName, mimeType, size, sha256 } = row
  const body = new ReadableStream<Uint8Array>({
    type: 'direct',
    async pull(controller) {
      try {
        for await (const part of parts) await controller.write(part)
        controller.close()
      } catch (error) {
        log.error({ err: error, documentId: id }, 'A download was aborted')
        controller.close(error instanceof Error ? error : new Error(String(error)))
      }
    },
  } as Bun.DirectUnderlyingSource<Uint8Array>)
  return new Response(body, {
    headers: {
      'content-type': mimeType,
      'content-length': String(size),
      'content-disposition': `attachment; filename*=UTF-8''${encoded(fileName)}`,
      etag: `"${sha256}"`,
    },
  })
}

/** Encodes by RFC 8187: some characters that `encodeURIComponent` keeps have a meaning in a header. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
