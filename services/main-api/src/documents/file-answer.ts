import type { Log } from '@bursar/contracts/log'
import type { DocumentRow } from './documents'

/** A document as a download. If a part is missing, the response is aborted before its announced length. */
export function fileAnswer(row: DocumentRow, parts: AsyncGenerator<Uint8Array>, log: Log): Response {
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
