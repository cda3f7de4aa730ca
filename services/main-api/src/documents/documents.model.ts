import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, nonBlank, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** The maximum size of a document. */
export const maxDocumentBytes = 10 * 1024 * 1024

/** decisions, documents: `{id, type, fileName, mimeType, size, sha256, status, uploadedAt}`. */
export const Document = t.Object(
  {
    id: uuid(),
    type: about('Its purpose, as given at the upload', t.String()),
    fileName: t.String(),
    mimeType: about('Detected from the content', oneOf(['application/pdf', 'image/png', 'image/jpeg'])),
    size: about('The size in bytes', t.Integer()),
    sha256: about('The hash of the content, in hexadecimal', t.String()),
    status: about('RECEIVED: it is stored', oneOf(['RECEIVED'])),
    uploadedAt: about('When it was uploaded', timestamp()),
  },
  { title: 'Document' },
)
export type Document = Static<typeof Document>

export const Documents = t.Object({ data: about('Oldest first', t.Array(Document)) }, { title: 'Documents' })

/** The metadata of a file: fields of its form, else of the query. */
export const DocumentFields = t.Object({ type: nonBlank(100), fileName: nonBlank(255) })
export type DocumentFields = Static<typeof DocumentFields>

export const UploadQuery = t.Object({
  type: t.Optional(
    t.String({ maxLength: 100, description: 'The purpose of the document, without a form', examples: ['LICENCE'] }),
  ),
  fileName: t.Optional(
    t.String({ maxLength: 255, description: 'The name of the file, without a form', examples: ['licence.pdf'] }),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

export const ByDocument = t.Object({ ...byId(exampleIds.pfi).properties, documentId: uuid() })

const file = { type: 'string' as const, format: 'binary', description: 'The file' }

/** The body of an upload, for the OpenAPI document only: it is not JSON, and not validated by a schema. */
export const uploadBody = {
  required: true,
  description: 'A PDF, PNG or JPEG of at most 10 MiB: as a form with the field `file`, or as the body itself',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        title: 'DocumentUpload',
        required: ['file', 'type'],
        properties: { file, type: { type: 'string' as const, description: 'The purpose of the document' } },
      },
      example: { file: '%PDF-1.7 …', type: 'CERTIFICATE_OF_INCORPORATION' },
    },
    'application/octet-stream': { schema: file, example: '%PDF-1.7 …' },
  },
}
