# algprior_embed_configs(<target>): compiles configs/paper/<family>/*.{toml,json} and configs/recipes.json into
# the target as raw strings.
function(algprior_embed_configs target)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/configs/paper
       ${PROJECT_SOURCE_DIR}/configs/paper/*/*.toml ${PROJECT_SOURCE_DIR}/configs/paper/*/*.json)
  set(rows "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/paper/${file})
    file(READ ${PROJECT_SOURCE_DIR}/configs/paper/${file} text)
    string(APPEND rows "    {\"${file}\", R\"text(${text})text\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/paper_configs.inc CONTENT "@rows@" @ONLY)
  set(recipes ${PROJECT_SOURCE_DIR}/configs/recipes.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${recipes})
  file(READ ${recipes} text)
  string(REPLACE "\n{" ")text\",\nR\"text(\n{" text "${text}")  # a piece a key
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/recipes.inc CONTENT "R\"text(@text@)text\"" @ONLY)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()
