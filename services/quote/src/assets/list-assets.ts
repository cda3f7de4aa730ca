import { caseless, eq, param } from '@bursar/store'
import { recordPages } from '../lists/record-pages'
import { assets } from '../tables/assets.table'
import { assetColumns, withRelations } from './asset-relations'

/** A page of assets with their categories and providers. */
export const listAssets = recordPages(assets, {
  counter: 'assets',
  rows: (db) => db.select(assetColumns(db)).from(assets),
  sorts: {
    name: assets.searchName,
    code: caseless(assets.code),
    createdAt: assets.createdAt,
    updatedAt: assets.updatedAt,
  },
  filters: {
    code: eq(caseless(assets.code), caseless(param('code'))),
    categoryId: eq(assets.categoryId, param('categoryId')),
  },
  present: withRelations,
})
