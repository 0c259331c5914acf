/** What the screens of coding and of reports promise. */
export const webCoding = {
  "house.web.coding":
    "a person codes by keyboard alone, in words behind an emoji, while an agent codes the same words",
  "house.web.coding-barriers": "axe finds no barrier while coding, light or dark, wide or narrow",
  "house.web.coding-follows": "the page goes to the passage that an agent shows",
  "house.web.reports": "figures of codings are shown as tables and saved as CSV and SVG",
  "house.web.reports-barriers": "axe finds no barrier in reports, light or dark, wide or narrow",
} as const;
