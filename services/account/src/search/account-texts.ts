import { textIndex } from '@bursar/store'
import { searchTexts } from './search-texts.table'

/** By which texts accounts are found. */
export const accountTexts = textIndex(searchTexts)
