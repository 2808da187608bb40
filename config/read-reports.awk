# Reads surefire's TEST-*.xml. Prints "passed<TAB>COUNT" for each report, and for each test that did not pass
# "failed<TAB>CLASS.TEST: MESSAGE" or "skipped<TAB>CLASS.TEST: REASON".

function attribute(line, name,    at, rest) {
  at = index(line, " " name "=\"")
  if (at == 0) return ""
  rest = substr(line, at + length(name) + 3)
  rest = substr(rest, 1, index(rest, "\"") - 1)
  gsub(/&quot;/, "\"", rest); gsub(/&lt;/, "<", rest); gsub(/&gt;/, ">", rest); gsub(/&apos;/, "'", rest)
  gsub(/&#10;|&#13;|&#9;/, " ", rest); gsub(/&amp;/, "\\&", rest)
  return rest
}

/<testsuite / { suites++; open_suite = 1; header = "" }
open_suite { header = header " " $0; if (index($0, ">")) open_suite = 0
  if (!open_suite) {
    total = attribute(header, "tests") - attribute(header, "failures") - attribute(header, "errors") - attribute(header, "skipped")
    print "passed\t" total
  }
}
/<testcase / { test = attribute($0, "classname") "." attribute($0, "name"); sub(/^dev\.doorbell\./, "", test); done = 0 }
(/<failure/ || /<error/) && !done {
  message = attribute($0, "message")
  if (message == "") message = attribute($0, "type")
  print "failed\t" test ": " substr(message, 1, 300); done = 1
}
/<skipped/ && !done {
  message = attribute($0, "message")
  if (message == "" ) { message = $0; sub(/.*<!\[CDATA\[/, "", message); sub(/\]\]>.*/, "", message) }
  sub(/^org\.opentest4j\.TestAbortedException: (Assumption failed: )?/, "", message)
  print "skipped\t" test ": " substr(message, 1, 300); done = 1
}
