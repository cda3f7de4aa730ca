// The same reads as the service's, by hand: Bun's own server, prepared SQL, no framework, no checks.
import { Database } from 'bun:sqlite'

const [port, file] = process.argv.slice(2)
const db = new Database(file, { readonly: true })
for (const pragma of ['busy_timeout = 5000', 'mmap_size = 268435456', 'cache_size = -16384']) db.run(`PRAGMA ${pragma}`)

type AssetRow = [string, string, string, string | null, string | null, number | null, number, number, string | null]
type MappingRow = [string, string, string, string, number]

// `+?`: SQLite plans a join anew at every run when it is given a bare placeholder.
const columns = `id, name, code, category_id, description, static_value, created_at, updated_at,
  (SELECT name FROM categories WHERE categories.id = assets.category_id)`
const pageOfAssets = (column: string, order: string) =>
  db.prepare(
    `SELECT ${columns} FROM assets WHERE deleted_at IS NULL
     ORDER BY ${column} ${order}, id ${order} LIMIT +? OFFSET +?`,
  )
const pages: Record<string, ReturnType<typeof pageOfAssets>> = {
  'createdAt asc': pageOfAssets('created_at', 'ASC'),
  'createdAt desc': pageOfAssets('created_at', 'DESC'),
  'updatedAt asc': pageOfAssets('updated_at', 'ASC'),
  'updatedAt desc': pageOfAssets('updated_at', 'DESC'),
}
const assetById = db.prepare(`SELECT ${columns} FROM assets WHERE id = +? AND deleted_at IS NULL`)
const mappings = (asset: string) =>
  db.prepare(
    `SELECT asset_id, provider_id, name, slug, is_default FROM asset_providers
     JOIN providers ON providers.id = provider_id WHERE asset_id ${asset} ORDER BY asset_id, provider_id`,
  )
const mappingsOfPage = mappings(`IN (${Array(10).fill('+?').join(', ')})`)
const mappingsOfAsset = mappings('= +?')
const total = db.prepare(`SELECT total FROM counters WHERE name = 'assets'`)

function toAsset(row: AssetRow, mapped: MappingRow[]) {
  const [id, name, code, categoryId, description, staticValue, createdAt, updatedAt, categoryName] = row
  return {
    id,
    name,
    code,
    categoryId,
    description,
    staticValue,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    category: categoryId === null ? null : { id: categoryId, name: categoryName },
    assetProviders: mapped.map(([assetId, providerId, name, slug, isDefault]) => ({
      assetId,
      providerId,
      provider: { id: providerId, name, slug, isDefault: isDefault === 1 },
    })),
  }
}

function list(query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 10)
  const offset = Number(query.get('offset') ?? 0)
  const page = pages[`${query.get('sortBy') ?? 'createdAt'} ${query.get('sortOrder') ?? 'desc'}`]
  const rows = (page?.values(limit, offset) ?? []) as AssetRow[]
  const mapped = Map.groupBy(mappingsOfPage.values(...rows.map(([id]) => id)) as MappingRow[], ([assetId]) => assetId)
  const [[count] = [0]] = total.values() as [number][]
  return {
    data: rows.map((row) => toAsset(row, mapped.get(row[0]) ?? [])),
    pageInfo: { limit, offset, total: count },
  }
}

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  reusePort: false,
  fetch(request) {
    const [, id] = request.url.split('/assets/')
    if (id === undefined) return Response.json(list(new URLSearchParams(request.url.split('?')[1])))
    const [row] = assetById.values(id) as AssetRow[]
    return row
      ? Response.json(toAsset(row, mappingsOfAsset.values(id) as MappingRow[]))
      : new Response(null, { status: 404 })
  },
})
