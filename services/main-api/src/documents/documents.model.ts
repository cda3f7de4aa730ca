import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, nonBlank, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

/** How large a document may be. */
export const maxDocumentBytes = 10 * 1024 * 1024

/** decisions, documents: `{id, type, fileName, mimeType, size, sha256, status, uploadedAt}`. */
export const Document = t.Object(
  {
    id: uuid(),
    type: about('What it is for, in the words of who uploaded it', t.String()),
    fileName: t.String(),
    mimeType: about('What was found in its content', oneOf(['application/pdf', 'image/png', 'image/jpeg'])),
    size: about('In bytes', t.Integer()),
    sha256: about('Of its content, in hexadecimal', t.String()),
    status: about('RECEIVED: it is stored', oneOf(['RECEIVED'])),
    uploadedAt: about('When it was uploaded', timestamp()),
  },
  { title: 'Document' },
)
export type Document = Static<typeof Document>

export const Documents = t.Object({ data: about('Oldest first', t.Array(Document)) }, { title: 'Documents' })

/** What is said of a file beside it: fields of its form, else of the query. */
export const DocumentFields = t.Object({ type: nonBlank(100), fileName: nonBlank(255) })
export type DocumentFields = Static<typeof DocumentFields>

export const UploadQuery = t.Object({
  type: t.Optional(
    t.String({ maxLength: 100, description: 'What the document is for, where no form says it', examples: ['LICENCE'] }),
  ),
  fileName: t.Optional(
    t.String({ maxLength: 255, description: 'The name of the file, where no form says it', examples: ['licence.pdf'] }),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

export const ByDocument = t.Object({ ...byId(exampleIds.pfi).properties, documentId: uuid() })

const file = { type: 'string' as const, format: 'binary', description: 'The file' }

/** What an upload takes, for the OpenAPI document: it is no JSON, and no schema of ours reads it. */
export const uploadBody = {
  required: true,
  description: 'A PDF, PNG or JPEG of at most 10 MiB: as a form with the field `file`, or as the body itself',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        title: 'DocumentUpload',
        required: ['file', 'type'],
        properties: { file, type: { type: 'string' as const, description: 'What the document is for' } },
      },
      example: { file: '%PDF-1.7 …', type: 'CERTIFICATE_OF_INCORPORATION' },
    },
    'application/octet-stream': { schema: file, example: '%PDF-1.7 …' },
  },
}
