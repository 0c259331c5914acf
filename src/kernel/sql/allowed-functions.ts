/**
 * The functions that untrusted statements may call. Functions that read files, load code, access
 * full-text or R-tree tables or describe the connection are excluded.
 */
export const allowedFunctions: ReadonlySet<string> = new Set(
  `
  -> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws
  cos cosh count cume_dist current_date current_time current_timestamp date datetime degrees
  dense_rank exp first_value floor format glob group_concat hex if ifnull iif instr json json_array
  json_array_insert json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove
  json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract
  jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove
  jsonb_replace jsonb_set julianday lag last_value lead length like likelihood likely ln log log10
  log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank percentile
  percentile_cont percentile_disc pi pow power printf quote radians random randomblob rank replace
  round row_number rtrim sign sin sinh soundex sqlite_version sqrt strftime string_agg substr
  substring subtype sum tan tanh time timediff total trim trunc typeof unhex unicode unistr
  unistr_quote unixepoch unlikely upper zeroblob
  `
    .trim()
    .split(/\s+/),
);

/** Allowed table-valued functions. A build of SQLite may lack some of them. */
export const allowedTableFunctions: ReadonlySet<string> = new Set([
  "generate_series",
  "json_each",
  "json_tree",
]);
