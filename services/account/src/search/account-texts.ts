import { textIndex } from '@bursar/store'
import { searchTexts } from './search-texts.table'

/** The texts by which accounts are found. */
export const accountTexts = textIndex(searchTexts)
